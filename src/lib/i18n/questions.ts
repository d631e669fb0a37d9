import type { ConfirmedCommand } from './asking.ts';
import type { Nouns } from './nouns.ts';
import type { Message } from './text.ts';
import type { ask } from './zh-CN/frame/ask.ts';

type ResourceOfCommand<Id> = Id extends `${infer Resource}.${string}` ? Resource : never;
type VerbOfCommand<Id, Resource extends string> = Id extends `${Resource}.${infer Verb}` ? Verb : never;

/** Confirmation text, by number of records, and the button's label. */
interface ConfirmText {
  title: Message;
  act: Message;
  body?: Message;
}

type SharedTexts = typeof ask;
type CountingVerb = 'show' | 'hide' | 'enable' | 'disable' | 'delete';

/** Parts that the shared question of a verb lacks. */
type OwnText<Verb> = Verb extends keyof SharedTexts
  ? Omit<ConfirmText, keyof SharedTexts[Verb]> & Partial<ConfirmText>
  : ConfirmText;
/** A verb whose shared question lacks nothing needs no entry. */
type CompleteVerb<Verb> = Verb extends keyof SharedTexts ? (SharedTexts[Verb] extends ConfirmText ? Verb : never) : never;

type ConfirmTexts<Verb extends string> = { readonly [V in Exclude<Verb, CompleteVerb<Verb>>]: OwnText<V> } & {
  readonly [V in CompleteVerb<Verb>]?: OwnText<V>;
};
type NounsForVerbs<Verb> = [Extract<Verb, CountingVerb>] extends [never]
  ? unknown
  : Nouns | { readonly ask: Readonly<Record<Extract<Verb, CountingVerb>, ConfirmText>> };

/** Each confirmation is `ask.<verb>` of its resource or the shared one. A missing one is a compile error. */
export type ResourceQuestions = {
  readonly [Resource in ResourceOfCommand<ConfirmedCommand>]: {
    readonly ask: ConfirmTexts<VerbOfCommand<ConfirmedCommand, Resource>>;
  } & NounsForVerbs<VerbOfCommand<ConfirmedCommand, Resource>>;
};
