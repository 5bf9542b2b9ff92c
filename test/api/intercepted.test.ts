import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { BASE, callOf, CAMPAIGN, inWords, wordsOf } from './client-scene.ts';
import { aWire } from './wire.ts';

const server = setupServer();
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const CREATE = `${BASE}/api/v0/accounts/101/auto-message-campaigns`;

describe('the global fetch is looked up at each call, so that msw stands in without a branch for tests', () => {
  it('sees the request as it was built, and its answer is read', async () => {
    const { client } = aWire(BASE);
    server.use(
      http.post(CREATE, async ({ request }) => {
        const body = (await request.json()) as object;
        return HttpResponse.json({ ...CAMPAIGN, ...body }, { status: 201 });
      }),
    );
    expect(await callOf(client, 'once')).toMatchObject({
      kind: 'done',
      reply: { id: CAMPAIGN.id, name: 'Welcome' },
    });
  });

  it.each([
    [201, 'done'],
    [400, 'refused'],
    [403, 'refused'],
    [408, 'unknown'],
    [500, 'unknown'],
    [502, 'unknown'],
  ])('%i is %s', async (status, words) => {
    server.use(http.post(CREATE, () => HttpResponse.json(CAMPAIGN, { status })));
    expect(inWords(await callOf(aWire(BASE).client, 'once'))).toBe(words);
  });

  it('a 429 is waited out, a redirect is not followed', async () => {
    let calls = 0;
    server.use(
      http.post(CREATE, () => {
        calls += 1;
        if (calls === 1) return HttpResponse.json({}, { status: 429, headers: { 'retry-after': '3' } });
        return new HttpResponse(null, { status: 307, headers: { location: 'https://evil.test/' } });
      }),
    );
    const { client, clock } = aWire(BASE);
    const result = await callOf(client, 'once');
    expect(wordsOf(result)).toContain('answered 307');
    expect([calls, clock.waits]).toEqual([2, [3000]]);
  });

  it('an error of the network without a code is unknown', async () => {
    server.use(http.post(CREATE, () => HttpResponse.error()));
    expect(inWords(await callOf(aWire(BASE).client, 'once'))).toBe('unknown');
  });
});
