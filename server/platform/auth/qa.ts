export const qaEmail = 'qa@demo.local';
