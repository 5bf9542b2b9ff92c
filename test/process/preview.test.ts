import { describe, expect, it, onTestFinished } from 'vitest';
import { servePreview } from '../../src/host/serve-preview.ts';

async function served() {
  const preview = await servePreview();
  onTestFinished(() => preview.close());
  return preview;
}

describe('the server of a preview', () => {
  it('sends the newest page, and lets no browser keep it', async () => {
    const preview = await served();
    preview.show('<p>one</p>');
    preview.show('<p>two</p>');
    const answer = await fetch(preview.url);
    expect(await answer.text()).toBe('<p>two</p>');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('x-frame-options')).toBe('DENY');
  });

  it('answers no request without the token, and under no other name', async () => {
    const preview = await served();
    const { origin, port, pathname } = new URL(preview.url);
    expect((await fetch(origin)).status).toBe(404);
    expect((await fetch(`${origin}/changes`)).status).toBe(404);
    expect((await fetch(`http://localhost:${port}${pathname}`).catch(() => ({ status: 404 }))).status).toBe(
      404,
    );
    expect((await fetch(preview.url, { method: 'POST' })).status).toBe(404);
  });

  it('has another token and another port each time', async () => {
    const [one, other] = [await served(), await served()];
    expect(new URL(one.url).pathname).not.toBe(new URL(other.url).pathname);
    expect(new URL(one.url).port).not.toBe(new URL(other.url).port);
  });

  it('sends an open page the news that a newer one is there', async () => {
    const preview = await served();
    const waiting = fetch(new URL('changes', preview.url));
    // Asked for with the page before, so the server has heard of it by then.
    await (await fetch(preview.url)).text();
    preview.show('<p>newer</p>');
    expect((await waiting).status).toBe(205);
  });
});
