/** RFC 7644, 3.12. */
export type ScimErrorType =
  | 'invalidFilter'
  | 'invalidPath'
  | 'invalidSyntax'
  | 'invalidValue'
  | 'mutability'
  | 'noTarget'
  | 'uniqueness';

export type ScimStatus = 400 | 404 | 409;

export class ScimError extends Error {
  readonly status: ScimStatus;
  readonly scimType: ScimErrorType | null;

  constructor(status: ScimStatus, scimType: ScimErrorType | null, detail: string) {
    super(detail);
    this.status = status;
    this.scimType = scimType;
  }
}

export const createBadRequest = (scimType: ScimErrorType, detail: string) => new ScimError(400, scimType, detail);
export const createUniquenessError = (detail: string) => new ScimError(409, 'uniqueness', detail);
export const createNotFound = () => new ScimError(404, null, 'No such resource.');
