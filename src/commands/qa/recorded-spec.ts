import type { Recording, RecordedStep } from './recording.ts';

/** Ids created during the recording are read from the steps that made them. */
export function specText({ path, steps }: Recording): string {
  const permissionCodes = [...new Set(steps.flatMap(({ permission }) => (permission === 'anyone' ? [] : [permission])))];
  const body = linesOf(steps);
  const isUsed = (word: string) => body.some((line) => line.includes(`${word}(`));
  const importedNames = ['at', 'expect', 'given'].filter(isUsed);
  const commands = steps.filter(({ id }) => id !== 'qa.expect');
  const names = [...new Set(commands.map(({ id }) => id))].slice(0, 5).join(', ');
  const fixtures = commands.length < steps.length ? 'admin, page' : 'admin';
  return [
    `import { ${[...importedNames, 'test'].join(', ')} } from '@admin-panel/qa';`,
    '',
    ...(permissionCodes.length > 0 ? [`// The account needs these permissions: ${permissionCodes.join(', ')}.`] : []),
    `test(${quote(`recorded: ${names || 'nothing'}`)}, async ({ ${fixtures} }) => {`,
    `  await admin.signIn(${quote(path)});`,
    ...body.map((line) => `  ${line}`),
    '});',
    '',
  ].join('\n');
}

function linesOf(steps: readonly RecordedStep[]): string[] {
  const expressionsById = new Map<string, string>(); // id → the expression that reads it
  const existingIds = new Set<string>(); // ids that were there before
  const usedStepNames = new Set<string>(); // names of steps that later steps read
  const toExpression = (value: unknown): string => {
    const expression = typeof value === 'string' ? expressionsById.get(value) : undefined;
    if (expression === undefined) return typeof value === 'string' ? quote(value) : toLiteral(value, toExpression);
    usedStepNames.add(expression.slice(3, expression.indexOf(',')));
    return expression;
  };
  const calls = steps.map((step, index) => {
    const name = `step${index + 1}`;
    const call = step.id === 'qa.expect' ? expectationOf(step) : callOf(step, toExpression);
    for (const id of step.targets) existingIds.add(id);
    for (const { path, id } of step.ids)
      if (!existingIds.has(id) && !expressionsById.has(id))
        expressionsById.set(id, `at(${name}, ${path.map((part) => JSON.stringify(part)).join(', ')})`);
    return { name, given: call, refused: step.refused };
  });
  return calls.map(({ name, given, refused }) => {
    if (refused !== null) return `await expect(${given}).rejects.toMatchObject({ code: ${quote(refused)} });`;
    return usedStepNames.has(name) ? `const ${name} = await ${given};` : `await ${given};`;
  });
}

function expectationOf({ params }: RecordedStep): string {
  const [, kind, text = ''] = /^(row|text):(.*)$/s.exec(String(params['seen'])) ?? [];
  const assertion =
    kind === 'row' ? `page.getByRole('row').filter({ hasText: ${quote(text)} })` : `page.getByText(${quote(text)})`;
  return `expect(${assertion}.first()).toBeVisible()`;
}

function callOf(
  { id, confirms, targets, params, unsaid, refused }: RecordedStep,
  toExpression: (value: unknown) => string,
): string {
  const values = [
    ...Object.entries(params).map(([name, value]) => `${propertyKey(name)}: ${toExpression(value)}`),
    // Secrets, codes and files are given when the spec runs.
    ...unsaid.map((name) => `${propertyKey(name)}: given(${quote(`${id}_${name}`.replace(/\W|(?=[A-Z])/g, '_').toUpperCase())})`),
  ];
  const options = [
    ...(targets.length > 0 ? [`targets: ${toExpression(targets)}`] : []),
    ...(values.length > 0 ? [`params: { ${values.join(', ')} }`] : []),
    ...(confirms && refused !== 'UNCONFIRMED' ? ['confirm: true'] : []),
  ];
  return `admin.run(${[quote(id), ...(options.length > 0 ? [`{ ${options.join(', ')} }`] : [])].join(', ')})`;
}

function toLiteral(value: unknown, toExpression: (value: unknown) => string): string {
  if (Array.isArray(value)) return `[${value.map(toExpression).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return value === undefined ? 'undefined' : JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([name, propertyValue]) => `${propertyKey(name)}: ${toExpression(propertyValue)}`)
    .join(', ')} }`;
}

const propertyKey = (name: string): string => (/^[a-zA-Z_]\w*$/.test(name) && name !== '__proto__' ? name : `[${quote(name)}]`);

/** Escaped, so that text can't end the quotation or the line. */
const quote = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'").replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}'`;
