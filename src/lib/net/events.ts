import { refreshAccess } from '../session/access.ts';
import { announceArrival } from './arrivals.ts';
import { $silentSince, pingServer, noteResponse } from './connectivity.ts';
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
export function followEvents(onEnded: (how: SessionEnd) => void): () => void {
  const stop = new AbortController();
  const others = new BroadcastChannel(channelName);
  others.addEventListener('message', ({ data }) => typeof data === 'string' && announceArrival(data));
  stop.signal.addEventListener('abort', () => others.close());
  const onArrived = (text: string) => {
    announceArrival(text);
    others.postMessage(text);
  };
  void whileVisible(stop.signal, (signal) => withTabLock(signal, () => listenWithRetry(signal, onEnded, onArrived)));
  return () => stop.abort();
}

/** Pauses after the page has been hidden for long. */
async function whileVisible(signal: AbortSignal, act: (signal: AbortSignal) => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    const turn = new AbortController();
    const end = () => turn.abort();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const watch = () => {
      clearTimeout(timer);
      if (document.hidden) timer = setTimeout(end, hiddenMs);
    };
    signal.addEventListener('abort', end);
    document.addEventListener('visibilitychange', watch);
    watch();
    await act(turn.signal);
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', watch);
    signal.removeEventListener('abort', end);
    if (!signal.aborted && document.hidden) await visible(signal);
  }
}

const visible = (signal: AbortSignal) =>
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
async function withTabLock(signal: AbortSignal, act: () => Promise<void>): Promise<void> {
  if (!('locks' in navigator)) return act();
  await navigator.locks.request(lockName, { signal }, act).catch(() => {}); // aborted while waiting
}

async function listenWithRetry(
  signal: AbortSignal,
  onEnded: (how: SessionEnd) => void,
  onArrived: (text: string) => void,
): Promise<void> {
  let wait = firstWaitMs;
  while (!signal.aborted) {
    const authorization = $authorization.get();
    if (!authorization) return signedIn(null, signal);
    let isEnded = false;
    const opened = await listen(authorization, signal, (event, data) => {
      wait = firstWaitMs;
      if (event === 'session-ended') {
        isEnded = true;
        if ($authorization.get() === authorization) onEnded(data === 'revoked' ? data : 'expired');
      } else if (event === 'arrived') onArrived(data);
      else if (event === 'access' && data !== $accessChange.get()) {
        void sleep(Math.random() * 500, signal).then(() => (signal.aborted ? undefined : refreshAccess().catch(() => {})));
      }
    });
    if (opened === 'ended' || isEnded) return signedIn(authorization, signal);
    // Checks whether the server or only this stream is down.
    void pingServer();
    await sleep(wait * (0.75 + Math.random() / 2), signal);
    wait = Math.min(wait * 2, maxWaitMs);
  }
}

const signedIn = (ended: string | null, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const stop = $authorization.listen((now) => now !== ended && end());
    const end = () => {
      stop();
      resolve();
    };
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });

/** 'ended': the server has no such session. */
async function listen(
  authorization: string,
  signal: AbortSignal,
  on: (event: string, data: string) => void,
): Promise<'ended' | 'closed'> {
  const silence = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const resetTimer = () => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(), silenceMs);
  };
  try {
    resetTimer();
    const response = await fetch('/api/events', {
      headers: { authorization, accept: 'text/event-stream' },
      credentials: 'same-origin',
      cache: 'no-store',
      signal: AbortSignal.any([signal, silence.signal]),
    });
    noteResponse(response);
    if (response.status === 401) {
      const answer = (await response.json().catch(() => null)) as { data?: { revoked?: unknown } } | null;
      on('session-ended', answer?.data?.revoked === true ? 'revoked' : 'expired');
      return 'ended';
    }
    if (!response.ok || !response.body) return 'closed';
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return 'closed';
      resetTimer();
      const parts = (text + value).split('\n\n');
      text = parts.pop() ?? '';
      for (const part of parts) {
        const text = readEvent(part);
        if (text) on(text.event, text.data);
      }
    }
  } catch {
    return 'closed'; // offline, a restart or an abort: the next try shows which
  } finally {
    clearTimeout(timer);
  }
}

/** Null for a keep-alive comment. */
export function readEvent(part: string): { event: string; data: string } | null {
  let event = '';
  let data = '';
  for (const line of part.split('\n')) {
    if (line.startsWith('event: ')) event = line.slice(7);
    else if (line.startsWith('data: ')) data = line.slice(6);
  }
  return event === '' ? null : { event, data };
}

const sleep = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer);
      stop();
      resolve();
    };
    const timer = setTimeout(end, ms);
    const stop = $silentSince.listen((since) => since === null && end());
    signal.addEventListener('abort', end);
  });
