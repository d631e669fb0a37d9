import { atom } from 'nanostores';

export const $lightbox = atom<{ pictures: readonly string[]; at: number } | null>(null);

export const showPictures = (pictures: readonly string[], index = 0): void => $lightbox.set({ pictures, at: index });
