/** Development account that sees QA and expert tools. */
export const qaEmail = 'qa@demo.local';
