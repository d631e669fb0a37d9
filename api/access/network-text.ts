/** People separate networks with commas, lines or spaces. */
export const splitNetworks = (text: string): string[] => text.split(/[\s,，、;；]+/).filter((network) => network !== '');
