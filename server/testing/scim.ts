import { send, type TestApp } from './support.ts';

interface ScimResponse {
  status: number;
  /** Empty without a body. */
  body: { id: string; totalResults?: number };
}

export async function sendScim(
  app: TestApp,
  bearer: Record<string, string>,
  method: string,
  path: string,
  body?: unknown,
): Promise<ScimResponse> {
  const response = await send(app, method, `/scim/v2${path}`, body, bearer);
  const text = await response.text();
  return { status: response.status, body: (text === '' ? {} : JSON.parse(text)) as ScimResponse['body'] };
}
