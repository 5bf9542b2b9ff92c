const CLEAR_LINE = '\r\u001b[2K';

/** A line on a terminal that is written over; nothing where the output goes to a file. */
export interface Progress {
  show(text: string): void;
  /** Clears the line for other words. */
  clear(): void;
}

export function progressOn(stream: NodeJS.WriteStream): Progress {
  if (!stream.isTTY) return { show: () => undefined, clear: () => undefined };
  return {
    show: (text) => void stream.write(`${CLEAR_LINE}${text.slice(0, stream.columns - 1)}`),
    clear: () => void stream.write(CLEAR_LINE),
  };
}
