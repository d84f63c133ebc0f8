import { useRef } from 'preact/hooks';
import { Icon, type IconName } from './Icon';

interface OpenFileProps {
  icon?: IconName;
  label: string;
  /** At least one. */
  onFiles: (files: File[]) => void;
  /** JSON unless said otherwise. */
  accept?: string;
  multiple?: boolean;
  class?: string;
  disabled?: boolean;
  /** Of the file input. */
  testId?: string;
}

/** Takes the first file's text; a file that cannot be read is as good as none chosen. */
export const withText = (take: (text: string) => void) => (files: File[]) => {
  files[0]?.text().then(take, () => undefined);
};

/** A button that has the user choose files. */
export function OpenFile(props: OpenFileProps) {
  const { icon, label, onFiles, accept = 'application/json,.json' } = props;
  const file = useRef<HTMLInputElement>(null);
  return (
    <>
      <button
        type="button"
        class={props.class}
        disabled={props.disabled}
        onClick={() => file.current?.click()}
      >
        {icon && <Icon name={icon} />}
        {label}
      </button>
      <input
        ref={file}
        type="file"
        accept={accept}
        multiple={props.multiple}
        hidden
        aria-label={label}
        data-testid={props.testId}
        onChange={(event) => {
          const files = [...(event.currentTarget.files ?? [])];
          event.currentTarget.value = '';
          if (files.length > 0) onFiles(files);
        }}
      />
    </>
  );
}
