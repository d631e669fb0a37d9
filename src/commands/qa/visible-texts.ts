import type { FieldOption } from '../engine/fields.ts';

const maxOptions = 40;
const maxLength = 120;

export function visibleTextOptions(): FieldOption[] {
  const visibleTexts: (readonly ['row' | 'text', string])[] = [
    ['text', getSelection()?.toString().trim() ?? ''],
    ...textsOf('[data-toast] > span > span').map((text) => ['text', text] as const),
    ...textsOf('[role="row"][data-cursor] [role="gridcell"]').map((text) => ['row', text] as const),
    ...textsOf('[data-record] h2, [data-record] h3, [data-record] dd').map((text) => ['text', text] as const),
    ...textsOf('h1').map((text) => ['text', text] as const),
  ];
  const options = new Map(
    visibleTexts.filter(([, text]) => text !== '' && text.length <= maxLength).map(([kind, text]) => [`${kind}:${text}`, text]),
  );
  return [...options].slice(0, maxOptions).map(([value, label]) => ({ value, label }));
}

const textsOf = (selector: string): string[] =>
  [...document.querySelectorAll<HTMLElement>(selector)]
    .filter((element) => element.checkVisibility())
    .map((element) => element.innerText.trim());
