import type { FieldIssue } from '../../../api/errors.ts';
import type { RoutePath } from '../../../api/menu.ts';
import type { ListControls } from '../../lib/scope.ts';

/** What commands ask of the page. The browser installs one; tests install another. */
export interface Ui {
  /** The address of the screen, from its path on; and what stands before that. */
  here(): string;
  origin(): string;
  navigate(to: string): void;
  /** Opens a record beside its list; the list keeps its filter when it is on screen. */
  openRecord(place: RoutePath, id: string): void;
  /** Opens what is not of the panel, in a tab of its own. */
  openOutside(url: string): void;
  /** Shows pictures over the page. */
  showPictures(pictures: readonly string[]): void;
  /** Puts plain text on the clipboard; throws when the browser refuses. */
  copy(text: string): Promise<void>;
  /** The list on screen, if there is one. */
  list: ListControls | null;
  openPalette(): void;
  /** Every shortcut; or the view that changes them. */
  openKeys(view?: 'sheet' | 'edit'): void;
  switchLanguage(): void;
  setTheme(theme: string): void;
  setDensity(density: string): void;
  toggleSidebar(): void;
  toggleSingleKeys(): void;
  /** Switches the hints that teach shortcuts. */
  /** The person's own keys in this browser: read, changed and written by whoever knows every command. */
  ownKeys(): Promise<OwnKeys>;
  print(): void;
  /** Says what the rounded figures are exactly, of the row with the cursor, the open record or the page. */
  showExact(): Promise<void>;
  signOut(): Promise<void>;
  /** Opens what sets up a second factor or binds a wallet, or shows recovery codes for the only time. */
  openFactor(dialog: FactorDialog): void;
  undo(): Promise<void>;
  repeat(): Promise<void>;
  /** Runs the last batch's command again on what did not follow. */
  retry(): Promise<void>;
}

/** Each change answers what there was before, as a file. */
export interface OwnKeys {
  resetKeys(): string;
  importKeys(file: string | Blob): Promise<string>;
  exportKeys(): void;
  /** What is wrong with a file, told in full where people see it. */
  refuseKeyFile(file: string | Blob): Promise<FieldIssue[]>;
}

/** A dialog about how somebody signs in. */
export type FactorDialog =
  | { kind: 'totp' }
  | { kind: 'passkey' }
  | { kind: 'wallet' }
  | { kind: 'codes'; codes: readonly string[] };

/** Where an invocation came from. */
export type Source = 'palette' | 'menu' | 'button' | 'row' | 'key' | 'link' | 'script' | 'undo' | 'repeat' | 'macro';
