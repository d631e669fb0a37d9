export interface Asked {
  method: string;
  params?: unknown;
}

/** Of a wallet or of the node (EIP-1193, EIP-1474). */
export const problem = (code: number, message: string, data?: unknown) => Object.assign(new Error(message), { code, data });

/** Asks the devnet, through the server: the page itself reaches no other address. */
export async function askNode({ method, params = [] }: Asked): Promise<unknown> {
  const response = await fetch('/dev/rpc', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const { result, error } = (await response.json()) as {
    result?: unknown;
    error?: { code: number; message: string; data?: unknown };
  };
  if (error) throw problem(error.code, error.message, error.data);
  return result;
}
