import type { startAuthentication, startRegistration } from '@simplewebauthn/browser';
import { errorStatus } from '../../../api/errors.ts';
import { requestDevice } from '../device/device-request.ts';
import { ApiError } from '../net/client.ts';

const loadLibrary = () => import('@simplewebauthn/browser');

export type AuthenticationOptions = Parameters<typeof startAuthentication>[0]['optionsJSON'];
export type RegistrationOptions = Parameters<typeof startRegistration>[0]['optionsJSON'];

/** Throws an AbortError once the person stops waiting. */
export async function requestPasskey(optionsJSON: AuthenticationOptions, signal?: AbortSignal) {
  const { startAuthentication, WebAuthnAbortService } = await loadLibrary();
  return requestDevice({
    kind: 'passkey',
    device: '',
    request: () => startAuthentication({ optionsJSON }),
    cancel: () => WebAuthnAbortService.cancelCeremony(),
    signal,
  });
}

/** Throws an AbortError once the person stops waiting. A passkey created after that is deleted. */
export async function createPasskeyCredential(optionsJSON: RegistrationOptions, signal?: AbortSignal) {
  const { startRegistration, WebAuthnAbortService } = await loadLibrary();
  return requestDevice({
    kind: 'passkey',
    device: '',
    request: () => startRegistration({ optionsJSON }),
    cancel: () => WebAuthnAbortService.cancelCeremony(),
    onLate: ({ id }) => void forgetPasskey(optionsJSON.rp.id, id),
    signal,
  });
}

/** Deletes an unusable passkey from the authenticator, where the browser supports it. */
export async function forgetPasskey(rpId: string | undefined, credential: string): Promise<void> {
  const { sendSignal } = await loadLibrary();
  await sendSignal({
    signalName: 'unknownCredential',
    rpID: rpId ?? location.hostname,
    credentialID: credential,
  }).catch(() => {});
}

/** Deletes a new passkey that the server refuses, but not if the response was lost. */
export async function forgetUnlessAccepted<T>(rpId: string | undefined, credential: string, result: Promise<T>): Promise<T> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof ApiError && isRefusalCode(error.code)) await forgetPasskey(rpId, credential);
    throw error;
  }
}

/** Nothing was sent, or the server refused. */
const isRefusalCode = (code: ApiError['code']): boolean =>
  code === 'OFFLINE' || (code !== 'LOST' && code !== 'IN_PROGRESS' && errorStatus[code] < 500);
