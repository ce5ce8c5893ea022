/**
 * The tools fetch their hundred megabytes as a page would: piece by piece, each piece copied a few times. While `load` runs, a
 * response that is made of bytes that are all there hands on these; all other responses are as ever.
 */
export async function withoutCopies<T>(load: () => Promise<T>): Promise<T> {
  const { Response: Usual } = globalThis
  const { compileStreaming } = WebAssembly
  class Whole extends Usual {
    readonly content: Uint8Array<ArrayBuffer> | undefined

    constructor(body?: BodyInit | null, init?: ResponseInit) {
      const isThere = body instanceof Uint8Array
      super(isThere ? null : body, init)
      this.content = isThere ? (body as Uint8Array<ArrayBuffer>) : undefined
    }

    override get body() {
      const { content } = this
      return content ? ({ pipeThrough: () => content } as unknown as ReadableStream) : super.body
    }

    override async arrayBuffer(): Promise<ArrayBuffer> {
      const { content } = this
      if (!content) return super.arrayBuffer()
      return content.length === content.buffer.byteLength ? content.buffer : content.slice().buffer
    }
  }
  globalThis.Response = Whole
  WebAssembly.compileStreaming = async (source) => {
    const response = await source
    const content = response instanceof Whole ? response.content : undefined
    return content ? new WebAssembly.Module(content) : compileStreaming.call(WebAssembly, response)
  }
  try {
    return await load()
  } finally {
    globalThis.Response = Usual
    WebAssembly.compileStreaming = compileStreaming
  }
}
