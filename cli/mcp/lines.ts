/** A message that is longer is refused; the rest of its line is dropped. */
export const mostLineCharacters = 4_000_000;

/** Takes a stream of text apart into lines; a line that is too long is undefined. */
export async function* linesOf(chunks: AsyncIterable<string>): AsyncGenerator<string | undefined> {
  let rest = "";
  let isDropping = false;
  for await (const chunk of chunks) {
    rest += chunk;
    const lines = rest.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (isDropping) isDropping = false;
      else if (line.length > mostLineCharacters) yield undefined;
      else if (line.trim() !== "") yield line;
    }
    if (rest.length > mostLineCharacters && !isDropping) {
      isDropping = true;
      yield undefined;
    }
    if (isDropping) rest = "";
  }
}
