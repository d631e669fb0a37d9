export const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCodePoint(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

export const bytesOfHex = (hex: string): Uint8Array =>
  Uint8Array.from(hex.match(/../g) ?? [], (hexByte) => Number.parseInt(hexByte, 16));

/** Converts v to 27 or 28. Hardware wallets return 0 or 1. */
export const normalizeRecoveryByte = (signature: string): string =>
  signature.replace(/(?<=^0x[0-9a-fA-F]{128})0([01])$/, (_, parity: string) => (parity === '0' ? '1b' : '1c'));

export const bytesOfBase64url = (text: string): Uint8Array =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.codePointAt(0) ?? 0);
