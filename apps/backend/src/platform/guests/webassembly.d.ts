/** What Node has of WebAssembly, and its types leave to those of browsers. */
declare namespace WebAssembly {
  class Module {
    private readonly compiled: true;
  }
  class Memory {
    constructor(pages: { initial: number; maximum: number });
  }
  function compile(bytes: Uint8Array): Promise<Module>;
}
