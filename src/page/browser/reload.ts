// Loads the page again when the server that sent it has a newer one.
const address = new URL('changes', location.href);

async function wait(): Promise<void> {
  for (;;) {
    try {
      const answer = await fetch(address, { cache: 'no-store' });
      if (answer.status === 205) location.reload();
      if (!answer.ok) return;
    } catch {
      return;
    }
  }
}

void wait();
