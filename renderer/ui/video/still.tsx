import { useEffect, useRef, useState } from "react";

type Props = {
  /** Absent: there is none, or not yet. */
  readonly url: string | undefined;
  readonly alt: string;
  readonly size?: { readonly width: number; readonly height: number };
  /** The class of what stands there where the picture cannot be had. */
  readonly blank: string | undefined;
};

/** A picture that a node makes. The request ends with the picture: a browser goes on loading one that it no longer shows. */
export const Still = ({ url, alt, size, blank }: Props) => {
  const image = useRef<HTMLImageElement>(null);
  const [isMissing, setMissing] = useState(false);
  useEffect(() => {
    const shown = image.current;
    if (shown && url !== undefined) shown.src = url;
    return () => shown?.removeAttribute("src");
  }, [url]);
  if (isMissing || url === undefined) return <span className={blank} />;
  return <img ref={image} {...size} alt={alt} loading="lazy" onError={() => setMissing(true)} />;
};
