// Requests to the server that this page came from. `browser/script/api.js` answers the same ones without a server.

export const SERVED = true; // there are other people, a study of games, and files to share

export class Refused extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

async function answered(response) {
  if (response.ok) return response;
  let text = `the server answered ${response.status}`;
  try {
    text = (await response.json()).error ?? text;
  } catch { /* no JSON: the status has to do */ }
  throw new Refused(text, response.status);
}

function headers(key) {
  return key ? { Authorization: `Bearer ${key}` } : {};
}

export async function get(path, key) {
  return (await answered(await fetch(path, { headers: headers(key), cache: "no-store" }))).json();
}

export async function getText(path, key) {
  return (await answered(await fetch(path, { headers: headers(key), cache: "no-store" }))).text();
}

export async function post(path, body = {}, key = undefined) {
  const response = await fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers(key) },
    body: JSON.stringify(body),
  });
  return (await answered(response)).json();
}

/**
 * Follow a seat: `onView` for everything that happens, `onState` with "here", "lost" or "gone" (and why).
 * Gives a function that ends it. The connection is made again when it breaks, until the server knows the seat no more.
 */
export function follow(key, seen, onView, onState) {
  const stopping = new AbortController();
  (async () => {
    let wait = 300;
    while (!stopping.signal.aborted) {
      try {
        const address = `/api/table/news?version=${seen.version}&since=${seen.moves}`;
        const response = await answered(
          await fetch(address, { headers: headers(key), signal: stopping.signal, cache: "no-store" }),
        );
        onState("here");
        wait = 300;
        await readLines(response.body, onView);
      } catch (error) {
        if (stopping.signal.aborted) return;
        if (error instanceof Refused && [401, 404].includes(error.status)) {
          onState("gone", error.message);
          return;
        }
      }
      if (stopping.signal.aborted) return;
      onState("lost");
      seen.version = -1; // a server that was started again counts from another number
      await new Promise((resolve) => setTimeout(resolve, wait));
      wait = Math.min(2 * wait, 5000);
    }
  })();
  return () => stopping.abort();
}

async function readLines(stream, onLine) {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    for (const line of lines) if (line) onLine(JSON.parse(line));
  }
}
