import { $deviceRequests, stopWaiting, type DeviceRequest } from '../../../lib/device/device-request.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { dropToast, showToast } from '../../../lib/ui/overlay/toasts-store.ts';

/** A device that answers at once is not spoken of. */
const patienceMs = 500;

/** Says what a wallet or passkey is waited for, and offers to stop. Returns how to end that. */
export function followDeviceRequests(): () => void {
  let shown: number | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const drop = () => {
    clearTimeout(timer);
    if (shown !== null) dropToast(shown);
    shown = null;
  };
  const unfollow = $deviceRequests.subscribe((open) => {
    drop();
    const request = open.at(-1);
    if (!request) return;
    timer = setTimeout(() => {
      shown = showToast({
        kind: 'waiting',
        text: waitingText(request),
        action: { label: t('device.stop'), run: () => stopWaiting() },
      });
    }, patienceMs);
  });
  return () => {
    unfollow();
    drop();
  };
}

function waitingText({ kind, device, isRepeated }: DeviceRequest): string {
  const waiting = t(`device.waiting.${kind}`, { device });
  return isRepeated ? t('device.repeated', { waiting }) : waiting;
}
