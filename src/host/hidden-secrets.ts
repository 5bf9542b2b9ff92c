/** A shorter text would be found by chance in words that are not secret. */
const SECRET_LENGTH_MIN = 8;

/** The last line of defence: whatever a command prints, the secrets of this run are not in it. */
export class HiddenSecrets {
  readonly #forms = new Set<string>();

  add(secret: string): void {
    const text = secret.trim();
    if (text.length < SECRET_LENGTH_MIN) return;
    // As it is, as it stands in an address, and as it stands in JSON.
    for (const form of [text, encodeURIComponent(text), JSON.stringify(text).slice(1, -1)])
      this.#forms.add(form);
  }

  hideIn(text: string): string {
    let hidden = text;
    for (const form of this.#forms) hidden = hidden.replaceAll(form, '***');
    return hidden;
  }
}
