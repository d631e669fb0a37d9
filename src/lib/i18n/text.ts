/** A text of a dictionary, or what makes one of values. */
export type Text = string | ((values: never) => string);
