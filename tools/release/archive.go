package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// entry is a file of an archive.
type entry struct {
	name, path string
	mode       fs.FileMode
}

// tarball writes the files, all with one time, owner and folder, so that the same files make the same archive.
func (r release) tarball(path string, files []entry) error {
	return create(path, func(out io.Writer) error {
		compressed, err := gzip.NewWriterLevel(out, gzip.BestCompression)
		if err != nil {
			return err
		}
		archive := tar.NewWriter(compressed)
		for _, file := range files {
			content, err := os.ReadFile(file.path)
			if err != nil {
				return err
			}
			if err := archive.WriteHeader(&tar.Header{Format: tar.FormatPAX, Typeflag: tar.TypeReg,
				Name: r.folder() + "/" + file.name, Size: int64(len(content)), Mode: int64(file.mode),
				ModTime: r.made}); err != nil {
				return err
			}
			if _, err := archive.Write(content); err != nil {
				return err
			}
		}
		return errors.Join(archive.Close(), compressed.Close())
	})
}

// zip is tarball for Windows.
func (r release) zip(path string, files []entry) error {
	return create(path, func(out io.Writer) error {
		archive := zip.NewWriter(out)
		for _, file := range files {
			content, err := os.ReadFile(file.path)
			if err != nil {
				return err
			}
			header := &zip.FileHeader{Name: r.folder() + "/" + file.name, Method: zip.Deflate, Modified: r.made}
			header.SetMode(file.mode)
			inside, err := archive.CreateHeader(header)
			if err != nil {
				return err
			}
			if _, err := inside.Write(content); err != nil {
				return err
			}
		}
		return archive.Close()
	})
}

// folder is what an archive unpacks into.
func (r release) folder() string { return "almanac-" + r.version }

// create writes a file.
func create(path string, write func(io.Writer) error) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(write(file), file.Close())
}

// sums is the file with the checksums, as sha256sum -c reads it.
const sums = "SHA256SUMS"

// writeSums writes the checksum of each file of a folder.
func writeSums(folder string) error {
	entries, err := os.ReadDir(folder) // sorted by name
	if err != nil {
		return err
	}
	var out strings.Builder
	for _, entry := range entries {
		if entry.Name() == sums {
			continue
		}
		content, err := os.ReadFile(filepath.Join(folder, entry.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(&out, "%x  %s\n", sha256.Sum256(content), entry.Name())
	}
	return os.WriteFile(filepath.Join(folder, sums), []byte(out.String()), 0o644) //nolint:gosec // it is published
}
