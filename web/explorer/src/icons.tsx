import type { ReactNode } from "react";

/** Line icons on a 20 × 20 grid, drawn in the colour of the text beside them. */
function Icon({ children }: { children: ReactNode }) {
  return (
    <svg
      className="icon"
      viewBox="0 0 20 20"
      width="18"
      height="18"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {children}
    </svg>
  );
}

/** The half moon of the name. */
export const Mark = () => (
  <svg className="mark" viewBox="0 0 24 24" width="26" height="26" aria-hidden="true">
    <circle cx="12" cy="12" r="9" fill="none" stroke="currentColor" strokeWidth="2" />
    <path d="M12 3a9 9 0 0 1 0 18z" fill="currentColor" />
  </svg>
);

export const SunIcon = () => (
  <Icon>
    <circle cx="10" cy="10" r="3.4" />
    <path d="M10 2.2v1.6M10 16.2v1.6M2.2 10h1.6M16.2 10h1.6M4.5 4.5l1.1 1.1M14.4 14.4l1.1 1.1M4.5 15.5l1.1-1.1M14.4 5.6l1.1-1.1" />
  </Icon>
);

export const MoonIcon = () => (
  <Icon>
    <path d="M16.8 11.8A7 7 0 1 1 8.2 3.2a5.6 5.6 0 0 0 8.6 8.6z" />
  </Icon>
);

export const SystemIcon = () => (
  <Icon>
    <rect x="2.6" y="3.6" width="14.8" height="10" rx="1.8" />
    <path d="M7 16.8h6M10 13.6v3.2" />
  </Icon>
);

export const KeyIcon = () => (
  <Icon>
    <circle cx="6.6" cy="13.4" r="3.4" />
    <path d="M9 11l7.4-7.4M13 6.6l2.6 2.6" />
  </Icon>
);

export const EyeIcon = () => (
  <Icon>
    <path d="M1.8 10S4.8 4.4 10 4.4 18.2 10 18.2 10 15.2 15.6 10 15.6 1.8 10 1.8 10z" />
    <circle cx="10" cy="10" r="2.4" />
  </Icon>
);

export const EyeOffIcon = () => (
  <Icon>
    <path d="M7.8 4.7A8 8 0 0 1 10 4.4c5.2 0 8.2 5.6 8.2 5.6a14 14 0 0 1-2.3 3M5 6.1A13.5 13.5 0 0 0 1.8 10s3 5.6 8.2 5.6a7.6 7.6 0 0 0 4-1.1M2.8 2.8l14.4 14.4" />
  </Icon>
);

export const SlidersIcon = () => (
  <Icon>
    <path d="M2.5 6h7M14 6h3.5M2.5 14H6M10.5 14h7" />
    <circle cx="11.7" cy="6" r="2.1" />
    <circle cx="8.2" cy="14" r="2.1" />
  </Icon>
);

/** The icon of the Examples pane; GraphiQL sizes it. */
export const BookIcon = () => (
  <svg viewBox="0 0 20 20" fill="none" stroke="currentColor" strokeWidth="1.5" strokeLinecap="round" strokeLinejoin="round">
    <path d="M10 4.8C8.4 3.6 6 3.2 2.8 3.4v11.8c3.2-.2 5.6.2 7.2 1.4 1.6-1.2 4-1.6 7.2-1.4V3.4C14 3.2 11.6 3.6 10 4.8zM10 4.8v11.8" />
  </svg>
);
