import { useQuery } from '@tanstack/react-query';
import { api } from '../net/client.ts';
import { queryClient } from '../net/query.ts';

const freshMs = 60_000;
/** As many as one call takes. */
const most = 200;

interface Waiting {
  readonly address: string;
  readonly answer: (name: string | null) => void;
}
let waiting: Waiting[] = [];

/** The names of all addresses that a screen draws at once are asked for together. */
function nameOf(address: string): Promise<string | null> {
  return new Promise((answer) => {
    waiting.push({ address, answer });
    if (waiting.length === 1) setTimeout(askAll, 0);
  });
}

function askAll(): void {
  const asked = waiting;
  waiting = [];
  for (let from = 0; from < asked.length; from += most) void ask(asked.slice(from, from + most));
}

async function ask(asked: readonly Waiting[]): Promise<void> {
  const addresses = asked.map(({ address }) => address);
  // Without an answer an address stands there as ever, by itself.
  const found = await api.authority.names({ addresses }).catch(() => []);
  const names = new Map(found.map(({ address, name }) => [address, name]));
  for (const { address, answer } of asked) answer(names.get(address) ?? null);
}

/** What the authority log's address book calls an address; null: nothing, or it is not known yet. */
export function useAddressName(address: string): string | null {
  const { data } = useQuery(
    { queryKey: ['addressNames', address], queryFn: () => nameOf(address), staleTime: freshMs, enabled: address !== '' },
    queryClient,
  );
  return data ?? null;
}
