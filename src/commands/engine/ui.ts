import type { FieldIssue } from '../../../api/errors.ts';
import type { RoutePath } from '../../../api/menu.ts';
import type { ListControls } from '../../lib/scope.ts';

export interface Ui {
  here(): string;
  origin(): string;
  navigate(path: string): void;
  openRecord(screenPath: RoutePath, id: string): void;
  openOutside(url: string): void;
  showPictures(pictures: readonly string[]): void;
  /** Throws if the browser refuses. */
  copy(text: string): Promise<void>;
  list: ListControls | null;
  openPalette(): void;
  openKeys(view?: 'sheet' | 'edit'): void;
  switchLanguage(): void;
  setTheme(theme: string): void;
  setDensity(density: string): void;
  toggleSidebar(): void;
  toggleSingleKeys(): void;
  ownKeys(): Promise<OwnKeys>;
  print(): void;
  showExact(): Promise<void>;
  signOut(): Promise<void>;
  /** Recovery codes and tokens are shown only once. */
  openFactor(dialog: FactorDialog): void;
  undo(): Promise<void>;
  repeat(): Promise<void>;
  retry(): Promise<void>;
}

/** Each change returns the previous keys as a file. */
export interface OwnKeys {
  resetKeys(): string;
  importKeys(file: string | Blob): Promise<string>;
  exportKeys(): void;
  refuseKeyFile(file: string | Blob): Promise<FieldIssue[]>;
}

export type FactorDialog =
  | { kind: 'totp' }
  | { kind: 'passkey' }
  | { kind: 'wallet' }
  | { kind: 'enrollmentCode'; code: string; email: string; expiresAt: string }
  | { kind: 'codes'; codes: readonly string[] }
  | { kind: 'token'; token: string }
  /** `address`: where a terminal on this machine waits for the code. */
  | { kind: 'cliCode'; code: string; address: string | null };

export type InvocationSource = 'palette' | 'menu' | 'button' | 'row' | 'key' | 'link' | 'script' | 'undo' | 'repeat' | 'macro';
