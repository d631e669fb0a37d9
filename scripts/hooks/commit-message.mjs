/** The rules of docs/contributing.md. */
export function messageProblems(message) {
  const [subject = '', secondLine = '', ...body] = message.trimEnd().split('\n');
  const text = body.filter((line) => line.trim() !== '' && !/^[A-Z][\w-]*-by: /.test(line));
  return [
    !/^[\w./-][\w./, -]*: \S/.test(subject) && 'the subject isn’t “area: what”',
    [...subject].length > 72 && `the subject has ${[...subject].length} characters, more than 72`,
    secondLine.trim() !== '' && 'the second line isn’t empty',
    secondLine.trim() === '' && text.length === 0 && 'there is no body that says why',
  ].filter(Boolean);
}
