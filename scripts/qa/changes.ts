import type { CommandContract, Contract } from './contract.ts';

export interface InterfaceChange {
  /** The command, or `read <list>`. */
  of: string;
  text: string;
  breaks: boolean;
}

/** Breaking changes first. */
export function changesOf(before: Contract, after: Contract): InterfaceChange[] {
  const found: InterfaceChange[] = [];
  const say = (of: string, text: string, breaks: boolean) => void found.push({ of, text, breaks });
  for (const [id, was] of Object.entries(before.commands)) {
    const now = after.commands[id];
    if (now) compare(was, now, (says, breaks) => say(id, says, breaks));
    else say(id, `was removed${likeIt(was, before, after)}`, true);
  }
  for (const id of Object.keys(after.commands)) if (!before.commands[id]) say(id, 'was added', false);
  for (const [name, was] of Object.entries(before.lists)) {
    const now = after.lists[name];
    const of = `read ${name}`;
    if (!now) {
      say(of, 'was removed', true);
      continue;
    }
    for (const field of was.filter) if (!now.filter.includes(field)) say(of, `can’t be filtered by ${field} any more`, true);
    for (const sort of was.sorts) if (!now.sorts.includes(sort)) say(of, `can’t be sorted by ${sort} any more`, true);
    compareType('its rows', was.row, now.row, (says, breaks) => say(of, says, breaks));
  }
  for (const [name, was] of Object.entries(before.rows))
    compareType(`a record of ${name}`, was, after.rows[name] ?? '', (says, breaks) => {
      const users = Object.entries(after.commands).filter(([, { result }]) => result.includes(`Rows['${name}']`));
      for (const [id] of users) say(id, says, breaks);
    });
  return found.toSorted((one, other) => Number(other.breaks) - Number(one.breaks));
}

/** It may be the old one renamed. */
function likeIt(was: CommandContract, before: Contract, after: Contract): string {
  const { permission: _, ...make } = was;
  const [id] =
    Object.entries(after.commands).find(([name, { permission: __, ...other }]) => {
      return !before.commands[name] && JSON.stringify(other) === JSON.stringify(make);
    }) ?? [];
  return id ? `, perhaps renamed to ${id}` : '';
}

type ReportChange = (says: string, breaks: boolean) => void;

function compare(before: CommandContract, now: CommandContract, say: ReportChange): void {
  if (before.permission !== now.permission) say(`needs the permission ${now.permission} instead of ${before.permission}`, true);
  if (!before.confirms && now.confirms) say('needs confirm: true in scripts now', true);
  if (before.confirms && !now.confirms) say('no longer needs confirm: true', false);
  if (before.targets?.of !== now.targets?.of)
    say(`targets ${now.targets?.of ?? 'nothing'} instead of ${before.targets?.of ?? 'nothing'}`, true);
  else if (before.targets && now.targets && before.targets.max !== now.targets.max)
    say(`takes at most ${now.targets.max} records instead of ${before.targets.max}`, now.targets.max < before.targets.max);
  for (const [name, param] of Object.entries(before.params)) {
    const other = now.params[name];
    if (!other) {
      say(`lost the parameter ${name}`, true);
      continue;
    }
    if (!param.required && other.required) say(`${name} is required now`, true);
    if (param.required && !other.required) say(`${name} is optional now`, false);
    if (param.type !== other.type) say(`${name} changed from ${param.type} to ${other.type}`, !widens(param.type, other.type));
  }
  for (const [name, { required }] of Object.entries(now.params))
    if (!before.params[name]) say(`has the new ${required ? 'required ' : ''}parameter ${name}`, required);
  compareType('its answer', before.result, now.result, say);
}

const membersOf = (type: string) => type.split(' | ');
const widens = (before: string, now: string) => membersOf(before).every((one) => membersOf(now).includes(one));

/** Additions break nothing. */
function compareType(what: string, was: string, now: string, say: ReportChange): void {
  if (was === now) return;
  const fields = (type: string) => new Set([...type.matchAll(/(\w+\??: [^;{}]+);/g)].map(([, field = '']) => field));
  const [before, after] = [fields(was), fields(now)];
  const lost = [...before].filter((field) => !after.has(field));
  const gained = [...after].filter((field) => !before.has(field));
  if (lost.length === 0 && gained.length === 0) say(`${what} changed`, true);
  if (lost.length > 0) say(`${what} lost ${lost.join(', ')}`, true);
  if (gained.length > 0) say(`${what} gained ${gained.join(', ')}`, false);
}

/** The first number, or the second before 1.0. */
export function isBreaking(before: string, after: string): boolean {
  const [was = [], now = []] = [before, after].map((version) => version.split('.'));
  return was[0] !== now[0] || (was[0] === '0' && was[1] !== now[1]);
}
