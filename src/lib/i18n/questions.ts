import type { Asking } from './asking.ts';
import type { Message } from './text.ts';

type ResourceOf<Id> = Id extends `${infer Resource}.${string}` ? Resource : never;
type VerbOf<Id, Resource extends string> = Id extends `${Resource}.${infer Verb}` ? Verb : never;

/** Confirmation text, by number of records, and the button's label. */
interface Question {
  title: Message;
  act: Message;
  body?: Message;
}

/** Each confirmation is `ask.<verb>` of its resource. A missing one is a compile error. */
export type Questions = {
  readonly [Resource in ResourceOf<Asking>]: { readonly ask: { readonly [Verb in VerbOf<Asking, Resource>]: Question } };
};
