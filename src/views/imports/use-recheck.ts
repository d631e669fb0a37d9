import { useState } from 'react';
import type { EditRowsInput, ImportDetails, ImportKind, RereadInput } from '../../../api/imports/contract.ts';
import { errorText } from '../../lib/net/errors.ts';
import { apiFor } from '../../lib/net/client.ts';
import { queryClient, refreshResources } from '../../lib/net/query.ts';
import { splitEdits } from './split-edits.ts';

export interface Recheck {
  isBusy: boolean;
  /** Why the last change was refused. */
  problem: string | null;
  /** Keeps choices that are not given. */
  reread: (choices: Partial<Omit<RereadInput, 'id' | 'version'>>) => Promise<void>;
  /** Resolves to the checked rows, fewer if a later request fails. */
  editRows: (rows: EditRowsInput['rows']) => Promise<EditRowsInput['rows']>;
}

export const detailsKey = (kind: ImportKind, id: string, version: number | undefined) =>
  [`${kind}Imports`, 'details', id, version] as const;

/** Sends changes to be checked immediately. `version`: row version of the details, which may be older than the row. */
export function useRecheck(kind: ImportKind, details: ImportDetails, version: number): Recheck {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const { row, reading, mapping, fills } = details;
  const routes = () => apiFor(`${kind}.import`, crypto.randomUUID())[`${kind}Imports`];

  /** One request at a time, each with the version from the response before. */
  async function change(requests: readonly ((expected: number) => Promise<ImportDetails>)[]): Promise<number> {
    if (isBusy) return 0; // disabling the controls would move the focus
    setBusy(true);
    setProblem(null);
    let expected = version;
    let sent = 0;
    try {
      for (const send of requests) {
        const answer = await send(expected);
        expected = answer.row.version;
        sent += 1;
        // Lets the next change use these details without loading them.
        queryClient.setQueryData(detailsKey(kind, row.id, expected), answer);
      }
    } catch (error) {
      setProblem(errorText(error));
    }
    await refreshResources([`${kind}Imports`]);
    setBusy(false);
    return sent;
  }
  return {
    isBusy,
    problem,
    reread: async (choices) => {
      await change([
        (expected) => routes().reread({ id: row.id, version: expected, ...reading, mapping, fills, answers: [], ...choices }),
      ]);
    },
    editRows: async (rows) => {
      const parts = splitEdits(rows);
      const sent = await change(
        parts.map((part) => (expected) => routes().editRows({ id: row.id, version: expected, rows: part })),
      );
      return parts.slice(0, sent).flat();
    },
  };
}
