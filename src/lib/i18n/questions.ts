import type { Asking } from './asking.ts';
import type { Text } from './text.ts';

type ResourceOf<Id> = Id extends `${infer Resource}.${string}` ? Resource : never;
type VerbOf<Id, Resource extends string> = Id extends `${Resource}.${infer Verb}` ? Verb : never;

/** What a command says before it runs, of how many records, and what its button says. */
interface Question {
  title: Text;
  act: Text;
  body?: Text;
}

/** Every question that a command asks stands in the words of its resource, as `ask.<verb>`: one missing does not compile. */
export type Questions = {
  readonly [Resource in ResourceOf<Asking>]: { readonly ask: { readonly [Verb in VerbOf<Asking, Resource>]: Question } };
};
