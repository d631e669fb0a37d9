/** The account for whoever tests, in a development server that has demo data. What is for QA and experts is shown to it. */
export const qaEmail = 'qa@demo.local';
