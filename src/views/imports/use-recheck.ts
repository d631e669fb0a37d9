import { useState } from 'react';
import type { EditRowsInput, ImportDetails, ImportKind, RereadInput } from '../../../api/imports/contract.ts';
import { errorText } from '../../lib/net/errors.ts';
import { apiFor } from '../../lib/net/client.ts';
import { refreshResources } from '../../lib/net/query.ts';

export interface Recheck {
  isBusy: boolean;
  /** Why the last change was refused. */
  problem: string | null;
  /** Reads the file again. What is not named stays as it is. */
  reread: (choices: Partial<Omit<RereadInput, 'id' | 'version'>>) => Promise<void>;
  /** True when the rows were checked again. */
  editRows: (rows: EditRowsInput['rows']) => Promise<boolean>;
}

/** Changes to how a file is read or to its rows, each checked at once by the server. */
export function useRecheck(kind: ImportKind, details: ImportDetails): Recheck {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const { row, reading, mapping, fills } = details;
  const routes = () => apiFor(`${kind}.import`, crypto.randomUUID())[`${kind}Imports`];

  async function change(send: () => Promise<unknown>): Promise<boolean> {
    if (isBusy) return false; // disabling the controls would move the focus
    setBusy(true);
    setProblem(null);
    let isDone = false;
    try {
      await send();
      isDone = true;
    } catch (error) {
      setProblem(errorText(error));
    }
    await refreshResources([`${kind}Imports`]);
    setBusy(false);
    return isDone;
  }
  const seen = { id: row.id, version: row.version };
  return {
    isBusy,
    problem,
    reread: async (choices) => {
      await change(() => routes().reread({ ...seen, ...reading, mapping, fills, answers: [], ...choices }));
    },
    editRows: (rows) => change(() => routes().editRows({ ...seen, rows })),
  };
}
