import type { CommandContract, Contract } from './contract.ts';

export interface InterfaceChange {
  /** The command, or `read <list>`. */
  of: string;
  text: string;
  breaks: boolean;
}

/** Breaking changes first. */
export function changesOf(previousContract: Contract, currentContract: Contract): InterfaceChange[] {
  const changes: InterfaceChange[] = [];
  const addChange = (subject: string, text: string, isBreakingChange: boolean) =>
    void changes.push({ of: subject, text, breaks: isBreakingChange });
  for (const [id, previousValue] of Object.entries(previousContract.commands)) {
    const currentCommand = currentContract.commands[id];
    if (currentCommand)
      compareCommands(previousValue, currentCommand, (text, isBreakingChange) => addChange(id, text, isBreakingChange));
    else addChange(id, `was removed${similarCommand(previousValue, previousContract, currentContract)}`, true);
  }
  for (const id of Object.keys(currentContract.commands)) if (!previousContract.commands[id]) addChange(id, 'was added', false);
  for (const [name, previousValue] of Object.entries(previousContract.lists)) {
    const currentCommand = currentContract.lists[name];
    const subject = `read ${name}`;
    if (!currentCommand) {
      addChange(subject, 'was removed', true);
      continue;
    }
    for (const field of previousValue.filter)
      if (!currentCommand.filter.includes(field)) addChange(subject, `can’t be filtered by ${field} any more`, true);
    for (const sort of previousValue.sorts)
      if (!currentCommand.sorts.includes(sort)) addChange(subject, `can’t be sorted by ${sort} any more`, true);
    compareType('its rows', previousValue.row, currentCommand.row, (text, isBreakingChange) =>
      addChange(subject, text, isBreakingChange),
    );
  }
  for (const [name, previousValue] of Object.entries(previousContract.rows))
    compareType(`a record of ${name}`, previousValue, currentContract.rows[name] ?? '', (text, isBreakingChange) => {
      const users = Object.entries(currentContract.commands).filter(([, { result }]) => result.includes(`Rows['${name}']`));
      for (const [id] of users) addChange(id, text, isBreakingChange);
    });
  return changes.toSorted((a, b) => Number(b.breaks) - Number(a.breaks));
}

/** It may be the old one renamed. */
function similarCommand(previousCommand: CommandContract, previousContract: Contract, currentContract: Contract): string {
  const { permission: _, ...make } = previousCommand;
  const [id] =
    Object.entries(currentContract.commands).find(([name, { permission: __, ...other }]) => {
      return !previousContract.commands[name] && JSON.stringify(other) === JSON.stringify(make);
    }) ?? [];
  return id ? `, perhaps renamed to ${id}` : '';
}

type ReportChange = (text: string, isBreakingChange: boolean) => void;

function compareCommands(previousContract: CommandContract, currentCommand: CommandContract, addChange: ReportChange): void {
  if (previousContract.permission !== currentCommand.permission)
    addChange(`needs the permission ${currentCommand.permission} instead of ${previousContract.permission}`, true);
  if (!previousContract.confirms && currentCommand.confirms) addChange('needs confirm: true in scripts now', true);
  if (previousContract.confirms && !currentCommand.confirms) addChange('no longer needs confirm: true', false);
  if (previousContract.targets?.of !== currentCommand.targets?.of)
    addChange(`targets ${currentCommand.targets?.of ?? 'nothing'} instead of ${previousContract.targets?.of ?? 'nothing'}`, true);
  else if (previousContract.targets && currentCommand.targets && previousContract.targets.max !== currentCommand.targets.max)
    addChange(
      `takes at most ${currentCommand.targets.max} records instead of ${previousContract.targets.max}`,
      currentCommand.targets.max < previousContract.targets.max,
    );
  for (const [name, param] of Object.entries(previousContract.params)) {
    const b = currentCommand.params[name];
    if (!b) {
      addChange(`lost the parameter ${name}`, true);
      continue;
    }
    if (!param.required && b.required) addChange(`${name} is required now`, true);
    if (param.required && !b.required) addChange(`${name} is optional now`, false);
    if (param.type !== b.type) addChange(`${name} changed from ${param.type} to ${b.type}`, !isWider(param.type, b.type));
  }
  for (const [name, { required }] of Object.entries(currentCommand.params))
    if (!previousContract.params[name]) addChange(`has the new ${required ? 'required ' : ''}parameter ${name}`, required);
  compareType('its answer', previousContract.result, currentCommand.result, addChange);
}

const membersOf = (type: string) => type.split(' | ');
const isWider = (previousCommand: string, currentCommand: string) =>
  membersOf(previousCommand).every((a) => membersOf(currentCommand).includes(a));

/** Additions break nothing. */
function compareType(subject: string, previousType: string, currentCommand: string, addChange: ReportChange): void {
  if (previousType === currentCommand) return;
  const fields = (type: string) => new Set([...type.matchAll(/(\w+\??: [^;{}]+);/g)].map(([, field = '']) => field));
  const [before, after] = [fields(previousType), fields(currentCommand)];
  const removedFields = [...before].filter((field) => !after.has(field));
  const addedFields = [...after].filter((field) => !before.has(field));
  if (removedFields.length === 0 && addedFields.length === 0) addChange(`${subject} changed`, true);
  if (removedFields.length > 0) addChange(`${subject} lost ${removedFields.join(', ')}`, true);
  if (addedFields.length > 0) addChange(`${subject} gained ${addedFields.join(', ')}`, false);
}

/** The first number, or the second before 1.0. */
export function isBreaking(previousCommand: string, currentContract: string): boolean {
  const [previousValue = [], now = []] = [previousCommand, currentContract].map((version) => version.split('.'));
  return previousValue[0] !== now[0] || (previousValue[0] === '0' && previousValue[1] !== now[1]);
}
