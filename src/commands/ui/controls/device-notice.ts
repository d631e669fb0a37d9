import { $deviceRequests, stopWaiting, type DeviceRequest } from '../../../lib/device/device-request.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { dropToast, showToast } from '../../../lib/ui/overlay/toasts-store.ts';

/** Hides the notice for devices that answer quickly. */
const timeoutMs = 500;

/** Returns a function that ends it. */
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
    }, timeoutMs);
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
