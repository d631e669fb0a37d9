import { test as playwright, type APIRequestContext } from '@playwright/test';
import { listSorts, type Lists, type Rows } from './commands.ts';
import type { TestEnvironment } from './environment.ts';
import type { LoggedCall } from './log.ts';
import type {
  Answer,
  Anything,
  Asked,
  Assessment,
  CommandId,
  CommandSheet,
  EntityName,
  FieldOption,
  GivenTo,
  ListName,
  Result,
} from './result.ts';
import type { Post } from './sign-in.ts';

/** Boxed methods must await their step, or Playwright reports the wrong frame. */
export const boxedStep = { box: true };

type Call = LoggedCall & { targets: readonly string[] };

/** Runs commands and reads, through a page or with a token. */
export abstract class CommandClient {
  abstract readonly url: string;
  /** Calls the website's routes. */
  abstract readonly request: APIRequestContext;
  abstract readonly post: Post;
  /** For test panels. */
  abstract readonly environment: TestEnvironment;

  /** Logs the call. Rejects with PanelError. */
  protected abstract call<T>(call: Call, method: 'run' | 'read' | 'get' | 'options', name: string, input: unknown): Promise<T>;

  /** Commands the account may use. */
  abstract list(): Promise<CommandSheet[]>;
  /** Whether a command can run here. */
  abstract assess(id: string): Promise<Assessment>;

  /** Resolves once the page, if there is one, shows the result. Rejects with PanelError. */
  async run<Id extends CommandId>(id: Id, ...[given]: GivenTo<Id>): Promise<Result<Id>> {
    return await playwright.step(id, () => this.#run(id, (given ?? {}) as Anything) as Promise<Result<Id>>, boxedStep);
  }

  /** Untyped, to test refusals. */
  async runAny(id: string, commandInput: Anything = {}): Promise<Answer> {
    return await playwright.step(id, () => this.#run(id, commandInput), boxedStep);
  }

  #run(id: string, commandInput: Anything): Promise<Answer> {
    const targets = commandInput.targets?.map((target) =>
      typeof target === 'string' ? target : { id: target.id, version: target.version },
    );
    const ids = (targets ?? []).map((target) => (typeof target === 'string' ? target : `${target.id}@${target.version}`));
    const call: Call = { command: id, how: 'script', targets: ids, params: Object.keys(commandInput.params ?? {}) };
    return this.call<Answer>(call, 'run', id, { ...commandInput, ...(targets ? { targets } : {}) });
  }

  /** Rows of a list. Filters are spelled as in the address. */
  async read<Name extends ListName>(list: Name, listRequest: Asked<Name> = {}): Promise<Lists[Name]['row'][]> {
    const call: Call = { command: `read ${list}`, how: 'read', targets: [] };
    const input = { sort: listSorts[list], ...listRequest };
    return await playwright.step(call.command, () => this.call<Lists[Name]['row'][]>(call, 'read', list, input), boxedStep);
  }

  /** Reads a record, or null. */
  async get<Name extends EntityName>(entity: Name, id: string): Promise<Rows[Name] | null> {
    const call: Call = { command: `get ${entity}`, how: 'read', targets: [id] };
    return await playwright.step(`${call.command} ${id}`, () => this.call<Rows[Name] | null>(call, 'get', entity, id), boxedStep);
  }

  /** The options of a form field. `params`: what the form already holds. */
  async options(
    command: CommandId,
    field: string,
    listRequest: { targets?: readonly string[]; params?: Readonly<Record<string, unknown>>; query?: string } = {},
  ): Promise<FieldOption[]> {
    const call: Call = { command: `options of ${command}`, how: 'read', targets: [] };
    return await playwright.step(
      `${call.command} ${field}`,
      () => this.call<FieldOption[]>(call, 'options', command, { field, ...listRequest }),
      boxedStep,
    );
  }
}
