export type Text = string | ((values: never) => string);
