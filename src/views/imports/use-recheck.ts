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
  /** Reads the file again. What is not named stays as it is. */
  reread: (choices: Partial<Omit<RereadInput, 'id' | 'version'>>) => Promise<void>;
  /** Resolves with the rows that were checked again, which are the first ones when a later request is refused. */
  editRows: (rows: EditRowsInput['rows']) => Promise<EditRowsInput['rows']>;
}

/** The query key of an import's details at one version of its row. */
export const detailsKey = (kind: ImportKind, id: string, version: number | undefined) =>
  [`${kind}Imports`, 'details', id, version] as const;

/**
 * Changes to how a file is read or to its rows, each checked at once by the server.
 * `version` is the row's version that the details were read with. It may be older than the row itself.
 */
export function useRecheck(kind: ImportKind, details: ImportDetails, version: number): Recheck {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const { row, reading, mapping, fills } = details;
  const routes = () => apiFor(`${kind}.import`, crypto.randomUUID())[`${kind}Imports`];

  /** Sends requests one after another, each with the version that the answer before it has. */
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
        // The next change must not wait for the details of this one.
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
