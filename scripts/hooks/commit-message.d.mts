export function messageProblems(message: string): string[];
