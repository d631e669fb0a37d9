import type { Asking } from './asking.ts';
import type { Nouns } from './nouns.ts';
import type { Message } from './text.ts';
import type { ask } from './zh-CN/frame/ask.ts';

type ResourceOf<Id> = Id extends `${infer Resource}.${string}` ? Resource : never;
type VerbOf<Id, Resource extends string> = Id extends `${Resource}.${infer Verb}` ? Verb : never;

/** Confirmation text, by number of records, and the button's label. */
interface Question {
  title: Message;
  act: Message;
  body?: Message;
}

type Shared = typeof ask;
type Counting = 'show' | 'hide' | 'enable' | 'disable' | 'delete';

/** Parts that the shared question of a verb lacks. */
type Own<Verb> = Verb extends keyof Shared ? Omit<Question, keyof Shared[Verb]> & Partial<Question> : Question;
/** A verb whose shared question lacks nothing needs no entry. */
type Complete<Verb> = Verb extends keyof Shared ? (Shared[Verb] extends Question ? Verb : never) : never;

type Asks<Verb extends string> = { readonly [V in Exclude<Verb, Complete<Verb>>]: Own<V> } & {
  readonly [V in Complete<Verb>]?: Own<V>;
};
type NounsFor<Verb> = [Extract<Verb, Counting>] extends [never]
  ? unknown
  : Nouns | { readonly ask: Readonly<Record<Extract<Verb, Counting>, Question>> };

/** Each confirmation is `ask.<verb>` of its resource or the shared one. A missing one is a compile error. */
export type Questions = {
  readonly [Resource in ResourceOf<Asking>]: {
    readonly ask: Asks<VerbOf<Asking, Resource>>;
  } & NounsFor<VerbOf<Asking, Resource>>;
};
