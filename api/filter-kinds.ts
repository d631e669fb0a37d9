export const anyText = /^[^\u0000\uD800-\uDFFF]{1,200}$/u;
export const value = (shape: RegExp = anyText) => ({ kind: 'value', shape }) as const;
export const maybe = (shape: RegExp = anyText) => ({ kind: 'value', shape, nullable: true }) as const;
export const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
export const chainNumber = /^(0|[1-9]\d{0,8})$/;
export const countryCode = /^[A-Z]{2}$/;
const mostOf = { int: 2_147_483_647n, bigint: 9_223_372_036_854_775_807n, numeric: 10n ** 60n };
export const count = (column: keyof typeof mostOf) => ({ kind: 'number', places: 0, most: mostOf[column] }) as const;
export const bitcoin = { kind: 'number', places: 8, most: mostOf.bigint, unit: 'BTC' } as const;
export const wei = (unit: 'YBTC' | 'YU') => ({ kind: 'number', places: 18, most: mostOf.numeric, unit }) as const;
/** 1e18 is 100 %. */
export const percent = { kind: 'number', places: 16, most: mostOf.numeric, unit: '%' } as const;
