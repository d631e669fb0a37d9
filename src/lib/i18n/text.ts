export type Message = string | ((values: never) => string);
