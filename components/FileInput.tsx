import type { ComponentProps, Ref } from "react";

interface FileInputProps extends Omit<ComponentProps<"input">, "type" | "ref" | "onChange"> {
  /** The accessible name. */
  label: string;
  /** Takes a folder with everything below it, in place of files. */
  folder?: boolean;
  /** For the button that opens it, by `click()`. */
  inputRef?: Ref<HTMLInputElement>;
  onChoose: (files: File[]) => void;
}

/** A hidden input that opens the browser's dialog for files. */
export function FileInput({ label, folder, inputRef, onChoose, ...rest }: FileInputProps) {
  return (
    <input
      {...rest}
      ref={inputRef}
      type="file"
      multiple={!folder}
      {...folder && { webkitdirectory: true }}
      hidden
      aria-label={label}
      onChange={({ currentTarget: input }) => {
        onChoose([...input.files ?? []]);
        // Reset, so that the same files can be chosen again.
        input.value = "";
      }}
    />
  );
}
