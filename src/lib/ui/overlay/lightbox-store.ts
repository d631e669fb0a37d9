import { atom } from 'nanostores';

/** The pictures that stand over the page, and which of them. */
export const $lightbox = atom<{ pictures: readonly string[]; at: number } | null>(null);

export const showPictures = (pictures: readonly string[], at = 0): void => $lightbox.set({ pictures, at });
