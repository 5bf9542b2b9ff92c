import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Takes a steady rate of one account's campaigns for itself, and asks again at once where it is answered 429:
 * rival.ts URL ACCOUNT PER_SECOND SECONDS
 */
const [url = '', account = '', perSecond = '1', seconds = '1'] = process.argv.slice(2);
const headers = { 'x-svc-auth-token': 'sim-key' };
const AGAIN_MS = 20;

const endsMs = performance.now() + Number(seconds) * 1000;
const asks: Promise<void>[] = [];
while (performance.now() < endsMs) {
  asks.push(untilServed());
  await sleep(1000 / Number(perSecond));
}
await Promise.all(asks);

async function untilServed(): Promise<void> {
  while (performance.now() < endsMs) {
    const response = await fetch(`${url}/api/v0/accounts/${account}/auto-message-campaigns`, { headers });
    await response.arrayBuffer();
    if (response.status !== 429) return;
    await sleep(AGAIN_MS);
  }
}
