import { refreshAccess } from '../session/access.ts';
import { publishArrival } from './arrivals.ts';
import { $unreachableSince, pingServer, recordResponse } from './connectivity.ts';
import { $accessChange, $authorization, type SessionEnd } from '../session/session.ts';

const firstWaitMs = 1_000;
const maxWaitMs = 30_000;
/** The server sends a message every 15 seconds. */
const silenceMs = 45_000;
const hiddenMs = 5 * 60_000;
const lockName = 'panel.events';
const channelName = 'panel.arrivals';

/**
 * Reports changes of rights and the end of the session. Tabs share one stream, because browsers limit connections per server. A
 * tab hidden for long gives it up. Returns an unsubscribe function.
 */
export function followEvents(onEnded: (sessionEnd: SessionEnd) => void): () => void {
  const abortController = new AbortController();
  const tabChannel = new BroadcastChannel(channelName);
  tabChannel.addEventListener('message', ({ data }) => typeof data === 'string' && publishArrival(data));
  abortController.signal.addEventListener('abort', () => tabChannel.close());
  const onArrived = (text: string) => {
    publishArrival(text);
    tabChannel.postMessage(text);
  };
  void whileVisible(abortController.signal, (signal) => withTabLock(signal, () => listenWithRetry(signal, onEnded, onArrived)));
  return () => abortController.abort();
}

/** Pauses after the page has been hidden for long. */
async function whileVisible(signal: AbortSignal, run: (signal: AbortSignal) => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    const visibleController = new AbortController();
    const abortTurn = () => visibleController.abort();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onVisibilityChange = () => {
      clearTimeout(timer);
      if (document.hidden) timer = setTimeout(abortTurn, hiddenMs);
    };
    signal.addEventListener('abort', abortTurn);
    document.addEventListener('visibilitychange', onVisibilityChange);
    onVisibilityChange();
    await run(visibleController.signal);
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', onVisibilityChange);
    signal.removeEventListener('abort', abortTurn);
    if (!signal.aborted && document.hidden) await waitUntilVisible(signal);
  }
}

const waitUntilVisible = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const connectWhenVisible = () => {
      if (document.hidden && !signal.aborted) return;
      document.removeEventListener('visibilitychange', connectWhenVisible);
      signal.removeEventListener('abort', connectWhenVisible);
      resolve();
    };
    document.addEventListener('visibilitychange', connectWhenVisible);
    signal.addEventListener('abort', connectWhenVisible);
  });

/** Waits until no other tab listens. Without locks (plain http) each tab listens. */
async function withTabLock(signal: AbortSignal, run: () => Promise<void>): Promise<void> {
  if (!('locks' in navigator)) return run();
  await navigator.locks.request(lockName, { signal }, run).catch(() => {}); // aborted while waiting
}

async function listenWithRetry(
  signal: AbortSignal,
  onEnded: (sessionEnd: SessionEnd) => void,
  onArrived: (text: string) => void,
): Promise<void> {
  let retryDelayMs = firstWaitMs;
  while (!signal.aborted) {
    const authorization = $authorization.get();
    if (!authorization) return waitForSignIn(null, signal);
    let isStreamEnded = false;
    const isOpened = await readStream(authorization, signal, (event, data) => {
      retryDelayMs = firstWaitMs;
      if (event === 'session-ended') {
        isStreamEnded = true;
        if ($authorization.get() === authorization) onEnded(data === 'revoked' ? data : 'expired');
      } else if (event === 'arrived') onArrived(data);
      else if (event === 'access' && data !== $accessChange.get()) {
        void sleep(Math.random() * 500, signal).then(() => (signal.aborted ? undefined : refreshAccess().catch(() => {})));
      }
    });
    if (isOpened === 'ended' || isStreamEnded) return waitForSignIn(authorization, signal);
    // Checks whether the server or only this stream is down.
    void pingServer();
    await sleep(retryDelayMs * (0.75 + Math.random() / 2), signal);
    retryDelayMs = Math.min(retryDelayMs * 2, maxWaitMs);
  }
}

const waitForSignIn = (endedAuthorization: string | null, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const unsubscribe = $authorization.listen((authorization) => authorization !== endedAuthorization && finish());
    const finish = () => {
      unsubscribe();
      resolve();
    };
    signal.addEventListener('abort', finish);
    if (signal.aborted) finish();
  });

/** 'ended': the server has no such session. */
async function readStream(
  authorization: string,
  signal: AbortSignal,
  onEvent: (event: string, data: string) => void,
): Promise<'ended' | 'closed'> {
  const silenceController = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const resetTimer = () => {
    clearTimeout(timer);
    timer = setTimeout(() => silenceController.abort(), silenceMs);
  };
  try {
    resetTimer();
    const response = await fetch('/api/events', {
      headers: { authorization, accept: 'text/event-stream' },
      credentials: 'same-origin',
      cache: 'no-store',
      signal: AbortSignal.any([signal, silenceController.signal]),
    });
    recordResponse(response);
    if (response.status === 401) {
      const errorBody = (await response.json().catch(() => null)) as { data?: { revoked?: unknown } } | null;
      onEvent('session-ended', errorBody?.data?.revoked === true ? 'revoked' : 'expired');
      return 'ended';
    }
    if (!response.ok || !response.body) return 'closed';
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return 'closed';
      resetTimer();
      const eventBlocks = (text + value).split('\n\n');
      text = eventBlocks.pop() ?? '';
      for (const eventBlock of eventBlocks) {
        const text = readEvent(eventBlock);
        if (text) onEvent(text.event, text.data);
      }
    }
  } catch {
    return 'closed'; // offline, a restart or an abort: the next try shows which
  } finally {
    clearTimeout(timer);
  }
}

/** Null for a keep-alive comment. */
export function readEvent(eventBlock: string): { event: string; data: string } | null {
  let event = '';
  let data = '';
  for (const line of eventBlock.split('\n')) {
    if (line.startsWith('event: ')) event = line.slice(7);
    else if (line.startsWith('data: ')) data = line.slice(6);
  }
  return event === '' ? null : { event, data };
}

const sleep = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const finish = () => {
      clearTimeout(timer);
      unsubscribe();
      resolve();
    };
    const timer = setTimeout(finish, ms);
    const unsubscribe = $unreachableSince.listen((silentSince) => silentSince === null && finish());
    signal.addEventListener('abort', finish);
  });
