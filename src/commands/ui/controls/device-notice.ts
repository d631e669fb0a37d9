import { $deviceRequests, cancelRequests, type DeviceRequest } from '../../../lib/device/device-request.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { dropToast, showToast } from '../../../lib/ui/overlay/toasts-store.ts';

/** Hides the notice for devices that answer quickly. */
const delayMs = 500;

/** Returns a function that ends it. */
export function followDeviceRequests(): () => void {
  let toastId: number | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const dismiss = () => {
    clearTimeout(timer);
    if (toastId !== null) dropToast(toastId);
    toastId = null;
  };
  const unsubscribe = $deviceRequests.subscribe((openRequests) => {
    dismiss();
    const request = openRequests.at(-1);
    if (!request) return;
    timer = setTimeout(() => {
      toastId = showToast({
        kind: 'waiting',
        text: waitingText(request),
        action: { label: t('device.stop'), run: () => cancelRequests() },
      });
    }, delayMs);
  });
  return () => {
    unsubscribe();
    dismiss();
  };
}

function waitingText({ kind, device, isRepeated }: DeviceRequest): string {
  const waitingMessage = t(`device.waiting.${kind}`, { device });
  return isRepeated ? t('device.repeated', { waiting: waitingMessage }) : waitingMessage;
}
