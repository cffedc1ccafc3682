// Makes HTML of Word documents; well kept. Its build for browsers needs nothing of Node.
import mammoth from "mammoth/browser";

/** The part of the library that is used. */
interface Mammoth {
  convertToHtml(input: { arrayBuffer: ArrayBuffer }): Promise<{ value: string }>;
}

export default mammoth as Mammoth;
