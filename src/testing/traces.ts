/** Traces that executed markup would leave. Self-contained, because a browser test sends it to its page. */
export function importTraces(): string[] {
  return [
    ...document.querySelectorAll('xss, marquee, iframe, object, embed, base, portal, isindex, math, body script, body style'),
  ]
    .map((element) => element.outerHTML)
    .concat(
      [...document.querySelectorAll('*')].flatMap((element) =>
        element
          .getAttributeNames()
          .filter((name) => name.startsWith('on') || name === 'srcdoc')
          .map((name) => `${element.tagName} ${name}`),
      ),
      [...document.querySelectorAll<HTMLAnchorElement>('a[href]')]
        .filter(({ protocol }) => !['http:', 'https:'].includes(protocol))
        .map(({ href }) => href),
    );
}
